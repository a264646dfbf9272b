import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { type Answer, send, urlOf } from '../api/client.js';
import { type OperationView, type Parameter, useOperations } from '../api/document.js';
import { readSession } from '../api/session.js';
import { isOfSession } from '../api/session-path.js';
import { Card, Chip, Page } from '../part/page.js';
import { Prose } from '../part/prose.js';
import { Empty, Loading } from '../part/state.js';
import { formatNumber } from '../part/text.js';
import { RequestView } from '../shell/inspector.js';

type Values = Readonly<Record<string, string>>;

const Field = ({
  parameter,
  value,
  change,
}: {
  readonly parameter: Parameter;
  readonly value: string;
  readonly change: (value: string) => void;
}) => {
  const { name, required, description, example, schema } = parameter;
  const id = `parameter-${name}`;
  return (
    <div class="field">
      <label for={id}>
        <span class="mono">{name}</span> {required ? <span class="faint small">required</span> : null}
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

const examplesOf = ({ parameters }: OperationView): Values =>
  Object.fromEntries(
    parameters.flatMap(({ name, required, example }) =>
      required && example !== undefined ? [[name, String(example)]] : [],
    ),
  );

const statusTone = (status: number): 'ok' | 'warn' | 'bad' => (status < 300 ? 'ok' : status < 500 ? 'warn' : 'bad');

const Sent = ({ request }: { readonly request: Answer }) => {
  const { status, ms, units, requestId } = request;
  return (
    <Card
      title="Response"
      aside={
        <>
          <Chip tone={statusTone(status)}>{status}</Chip>{' '}
          <span class="faint small">
            {formatNumber(ms)} ms{units === undefined ? '' : `, ${units === 1 ? '1 unit' : `${units} units`}`}
          </span>
        </>
      }
    >
      <RequestView request={request} isResponseFirst />
      {requestId ? <p class="faint small pad">Request {requestId}</p> : null}
    </Card>
  );
};

const Form = ({ operation }: { readonly operation: OperationView }) => {
  const { query, path: here, route } = useLocation();
  const { method, path, parameters } = operation;
  const asked = Object.fromEntries(parameters.flatMap(({ name }) => (query[name] ? [[name, query[name]]] : [])));
  const [values, setValues] = useState<Values>({ ...examplesOf(operation), ...asked });
  const [body, setBody] = useState(operation.body);
  const [problem, setProblem] = useState<string>();
  const [sent, setSent] = useState<Answer>();
  const [isBusy, setBusy] = useState(false);

  const submit = async (): Promise<void> => {
    setProblem(undefined);
    let parsed: unknown;
    try {
      parsed = body === undefined ? undefined : JSON.parse(body);
    } catch {
      setProblem('The body is no JSON.');
      return;
    }
    const url = urlOf(path, values);
    setBusy(true);
    try {
      setSent(await send(method, url, parsed));
      // Whoever is signed in may be somebody else now.
      if (isOfSession(path)) await readSession();
      route(urlOf(here, values), true);
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Card>
        <form
          class="form pad"
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <p>
            <span class={`verb ${method.toLowerCase()}`}>{method}</span> <span class="mono">{path}</span>
          </p>
          <div class="two">
            {parameters.map((parameter) => (
              <Field
                key={parameter.name}
                parameter={parameter}
                value={values[parameter.name] ?? ''}
                change={(value) => setValues({ ...values, [parameter.name]: value })}
              />
            ))}
          </div>
          {body === undefined ? null : (
            <div class="field">
              <label for="body">Body</label>
              <textarea
                id="body"
                class="input mono"
                rows={Math.min(16, body.split('\n').length + 1)}
                spellcheck={false}
                value={body}
                onInput={({ currentTarget }) => setBody(currentTarget.value)}
              />
            </div>
          )}
          {problem ? (
            <span class="problem" role="alert">
              {problem}
            </span>
          ) : null}
          <div>
            <button type="submit" class="button first" disabled={isBusy}>
              {method === 'GET' ? 'Send' : `Send ${method}`}
            </button>
          </div>
        </form>
      </Card>
      {sent === undefined ? null : <Sent request={sent} />}
    </>
  );
};

/** One operation with a form; the address keeps what was typed. */
export const RequestPage = () => {
  const { id = '' } = useRoute().params;
  const read = useOperations();
  const operation = read.data?.find((one) => one.id === id);
  return (
    <Page title={operation?.title ?? id} note={operation ? <Prose text={operation.description} /> : undefined}>
      <Loading read={read} what="The operation">
        {() =>
          operation === undefined ? (
            <Card>
              <Empty title="There is no such operation">Requests lists all of them.</Empty>
            </Card>
          ) : (
            <Form key={id} operation={operation} />
          )
        }
      </Loading>
    </Page>
  );
};
