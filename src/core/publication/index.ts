export { branchName } from "./branch-name.ts";
export { decidePublication, type PublicationDecision, type PublicationRow } from "./decide-publication.ts";
export { createMarker, parseMarker, renderMarker, type Marker } from "./marker.ts";
export { plainTitle } from "./plain-title.ts";
export type { BranchState, PublicationSnapshot, SeenPullRequest } from "./snapshot.ts";
export { commitMessage, parseTrailers, type Trailers } from "./trailers.ts";
