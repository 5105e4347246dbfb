/** Held-out test files in zone A, by the SHA-256 of their bytes (64 hex digits). Nothing that an agent runs can read it. */
export interface HeldOutStore {
  /** Keeps a file's bytes and says their digest; the same bytes twice are kept once. Throws `state-*` and `disk-full`. */
  keep(bytes: Uint8Array): Promise<string>;
  /** The bytes, or null when they are not here. Throws `held-out-damaged` when what is stored has another digest. */
  read(sha256: string): Promise<Uint8Array | null>;
}
