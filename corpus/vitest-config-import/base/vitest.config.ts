import { defineConfig } from "vitest/config";
import { include } from "./bench/options.js";

export default defineConfig({ test: { include } });
