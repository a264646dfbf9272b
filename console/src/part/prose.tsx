/** A sentence of the interface, in which names of programs stand between backticks. */
export const Prose = ({ text }: { readonly text: string }) => (
  <>{text.split('`').map((part, n) => (n % 2 === 1 ? <code key={n}>{part}</code> : part))}</>
);
