const newline = 0x0a;
const wordBytes = 4;
/** A byte of the sum holds at most 255, so that many words are added before it is read. */
const wordsPerSum = 255;

function countByByte(bytes: Uint8Array, from: number, to: number): number {
  let lines = 0;
  for (let at = from; at < to; at += 1) if (bytes[at] === newline) lines += 1;
  return lines;
}

/** Newlines in words of four bytes: a lane's top bit is set exactly where its byte equals a newline. */
function countByWord(words: Uint32Array): number {
  let lines = 0;
  for (let at = 0; at < words.length;) {
    const end = Math.min(at + wordsPerSum, words.length);
    let sum = 0;
    for (; at < end; at += 1) {
      const differs = (words[at] as number) ^ 0x0a0a0a0a;
      const equal = ~(((differs & 0x7f7f7f7f) + 0x7f7f7f7f) | differs | 0x7f7f7f7f);
      sum = (sum + (equal >>> 7)) | 0;
    }
    lines += (sum & 0xff) + ((sum >>> 8) & 0xff) + ((sum >>> 16) & 0xff) + (sum >>> 24);
  }
  return lines;
}

/** How many newline bytes there are. Four bytes a step, since every byte of a command's output passes here. */
export function countNewlines(bytes: Uint8Array): number {
  const lead = Math.min(bytes.length, (wordBytes - (bytes.byteOffset % wordBytes)) % wordBytes);
  const words = Math.floor((bytes.length - lead) / wordBytes);
  if (words < 8) return countByByte(bytes, 0, bytes.length);
  const end = lead + words * wordBytes;
  const middle = countByWord(new Uint32Array(bytes.buffer, bytes.byteOffset + lead, words));
  return countByByte(bytes, 0, lead) + middle + countByByte(bytes, end, bytes.length);
}
