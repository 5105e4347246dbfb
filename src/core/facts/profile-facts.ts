/** By which profile of base's policy a change is judged, and what it was chosen by. */
export interface ProfileFacts {
  /** `agent` is the strict one, and what holds for everybody whom nothing else names. */
  readonly name: "agent" | "person";
  /** For people: `profiles[0]: a person with write permission`. */
  readonly because: string;
}
