/** Texts for the reference in addition to a parameter's schema. */
export interface ParameterText {
  /** Markdown; if absent, the schema's own description is used. */
  readonly description?: string;
  /** A value with results in the sample network. */
  readonly example?: string | number | boolean;
}

/** By the name of the parameter. */
export type ParameterTexts = Readonly<Record<string, ParameterText>>;
