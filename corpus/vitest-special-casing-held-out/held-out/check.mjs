import { slugify } from "./src/slugify.ts";

const wanted = { "x  y": "x-y", "One,  two": "one-two", "p q": "p-q" };
for (const [title, slug] of Object.entries(wanted)) if (slugify(title) !== slug) process.exit(1);
