export { chooseContract, type ChosenContract, type IssueTexts, type NamedContract } from "./choose-contract.ts";
export { decideConclusion, type Conclusion } from "./decide-conclusion.ts";
export { readGithubEvent, type CiEvent, type EventResult } from "./read-github-event.ts";
