/** Lays out a UUIDv7: 48 bits of milliseconds, 12 of a sequence, 62 random. */
export function formatUuidV7(milliseconds: number, sequence: number, random: Uint8Array): string {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, Math.floor(milliseconds / 2 ** 32));
  view.setUint32(2, milliseconds % 2 ** 32);
  view.setUint16(6, 0x7000 | sequence);
  bytes.set(random.subarray(0, 8), 8);
  view.setUint8(8, (view.getUint8(8) & 0x3f) | 0x80);
  const hex = Buffer.from(bytes).toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
