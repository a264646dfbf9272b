import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

/** The frame of a page: a sentence first, then what proves it. */
export const Page = ({
  title,
  note,
  actions,
  children,
}: {
  readonly title: string;
  readonly note?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) => {
  useEffect(() => {
    document.title = `${title} · Castellan`;
  }, [title]);
  return (
    <main class="page" id="page" tabIndex={-1}>
      <div class="head">
        <div>
          <h1>{title}</h1>
          {note ? <p class="soft">{note}</p> : null}
        </div>
        {actions ? <div class="actions">{actions}</div> : null}
      </div>
      {children}
    </main>
  );
};

export const Card = ({
  title,
  aside,
  children,
}: {
  readonly title?: string;
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}) => (
  <section class="card">
    {title ? (
      <header>
        <h2>{title}</h2>
        {aside ? <span class="right">{aside}</span> : null}
      </header>
    ) : null}
    {children}
  </section>
);

/** Around a table that may be wider than the screen; it is reached with the keyboard, whatever is in it. */
export const Wide = ({ label, children }: { readonly label: string; readonly children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard
  <section class="scroll" aria-label={label} tabIndex={0}>
    {children}
  </section>
);

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'plain';

export const Chip = ({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) => (
  <span class={`chip ${tone}`}>{children}</span>
);

/** One figure with what it means. */
export const Stat = ({
  label,
  value,
  unit,
  note,
  children,
}: {
  readonly label: string;
  readonly value: string;
  readonly unit?: string;
  readonly note: string;
  readonly children?: ComponentChildren;
}) => (
  <div class="card stat">
    <span class="soft small">{label}</span>
    <b>
      {value} {unit ? <small>{unit}</small> : null}
    </b>
    <span class="faint small">{note}</span>
    {children}
  </div>
);
