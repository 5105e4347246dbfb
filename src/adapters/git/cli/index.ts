export { createGitCli, type GitCliOptions } from "./create-git-cli.ts";
