import type { Renderers } from "../../app/gather/evaluate-change.ts";
import {
  renderAcceptanceJson,
  renderMarkdown,
  renderPullRequestBody,
  renderPullRequestTitle,
} from "../../reporters/index.ts";

/** The reporters, as the use cases want them. */
export function createRenderers(): Renderers {
  return {
    acceptanceJson: renderAcceptanceJson,
    markdown: renderMarkdown,
    pullRequestBody: (judged, extras) => renderPullRequestBody(judged, extras),
    pullRequestTitle: (judged, title) => renderPullRequestTitle(judged, title),
  };
}
