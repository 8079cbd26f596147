/** Guidance that joins the system prompt while its tool is offered; lower `order` comes first. */
export interface PromptSection {
  readonly name: string;
  readonly order: number;
  readonly text: string;
}
