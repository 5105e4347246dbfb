/** Longest line in characters that is handed on in one piece. */
const maxLine = 65_536;

/** Cuts a byte stream into lines; bytes that are not UTF-8 become the replacement character. */
export interface LineReader {
  add(chunk: Uint8Array): void;
  /** Hands on what stands after the last line end. */
  end(): void;
}

/** Calls `onLine` for every line without its end; a line longer than 65,536 characters comes in pieces. */
export function createLineReader(onLine: (line: string) => void): LineReader {
  const decoder = new TextDecoder("utf-8");
  let rest = "";
  const take = (text: string): void => {
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line.replace(/\r$/u, ""));
    while (rest.length > maxLine) {
      onLine(rest.slice(0, maxLine));
      rest = rest.slice(maxLine);
    }
  };
  return {
    add: (chunk) => take(decoder.decode(chunk, { stream: true })),
    end() {
      take(decoder.decode());
      if (rest !== "") onLine(rest);
      rest = "";
    },
  };
}
