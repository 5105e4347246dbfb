/** Where pages are served from. */
export function site(): string {
  return "https://example.invalid";
}
