/** Operations without an example of a response, and why there is none. */
export const WITHOUT_RESPONSE: Readonly<Record<string, string>> = {
  'fetch-authorization-url': 'The flow is retired: every sound request is answered 410.',
  'lookup-cast-conversation-summary': 'A language model of the operator writes the answer, and the sample has none.',
  'retry-refused-item': 'Nothing is refused in the sample network.',
  'fetch-configuration': 'It names folders of the machine on which it is asked.',
  'payment-webhook': 'Only an external payment provider calls it, with a signature of its own.',
};
