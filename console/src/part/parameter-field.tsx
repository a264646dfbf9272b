import type { Parameter } from '../api/document.js';
import { Prose } from './prose.js';

/** A field for a parameter of an operation, with what the service says about it. */
export const ParameterField = ({
  parameter,
  value,
  change,
}: {
  readonly parameter: Parameter;
  readonly value: string;
  readonly change: (value: string) => void;
}) => {
  const { name, in: place, required, description, example, schema } = parameter;
  const id = `parameter-${name}`;
  return (
    <div class="field">
      <label for={id}>
        <span class="mono">{name}</span>{' '}
        <span class="faint small">
          {[...(required ? ['required'] : []), ...(place === 'query' ? [] : [`in the ${place}`])].join(', ')}
        </span>
      </label>
      {schema.enum ? (
        <select id={id} class="input" value={value} onChange={({ currentTarget }) => change(currentTarget.value)}>
          <option value="">{schema.default === undefined ? 'not set' : `not set: ${schema.default}`}</option>
          {schema.enum.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          class="input mono"
          value={value}
          required={required && place === 'path'}
          placeholder={example === undefined ? String(schema.default ?? '') : `such as ${example}`}
          aria-describedby={description ? `${id}-help` : undefined}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
      )}
      {description ? (
        <span class="help" id={`${id}-help`}>
          <Prose text={description} />
        </span>
      ) : null}
    </div>
  );
};
