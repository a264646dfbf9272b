interface TextFieldProps {
  /** Unique in the page. */
  readonly id: string;
  readonly label: string;
  readonly help?: string;
  readonly value: string;
  readonly change: (value: string) => void;
  readonly type?: 'text' | 'url' | 'email';
  readonly required?: boolean;
  readonly maxLength?: number;
  /** A regular expression that the whole value must match; the browser shows the help if it does not. */
  readonly pattern?: string;
  readonly placeholder?: string;
}

/** A line of text with its label above and its help below. */
export const TextField = ({ id, label, help, value, change, ...rest }: TextFieldProps) => (
  <div class="field">
    <label for={id}>{label}</label>
    <input
      id={id}
      class="input"
      value={value}
      aria-describedby={help ? `${id}-help` : undefined}
      title={rest.pattern ? help : undefined}
      onInput={({ currentTarget }) => change(currentTarget.value)}
      {...rest}
    />
    {help ? (
      <span class="help" id={`${id}-help`}>
        {help}
      </span>
    ) : null}
  </div>
);
