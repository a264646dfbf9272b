import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { type Answer, send, urlOf } from '../api/client.js';
import { type OperationView, type Parameter, useOperations } from '../api/document.js';
import { readSession } from '../api/session.js';
import { isOfSession } from '../api/session-path.js';
import { Card, Chip, Page } from '../part/page.js';
import { ParameterField } from '../part/parameter-field.js';
import { Prose } from '../part/prose.js';
import { Empty, Loading } from '../part/state.js';
import { formatNumber } from '../part/text.js';
import { RequestView } from '../shell/inspector.js';

type Values = Readonly<Record<string, string>>;

/** The address of the page keeps what was typed, except a credential. */
const CREDENTIAL = 'authorization';

/** Examples of headers and of parts of a path are wallets and apps that are not there. */
const examplesOf = ({ parameters }: OperationView): Values =>
  Object.fromEntries(
    parameters.flatMap(({ name, in: place, required, example }) =>
      required && place === 'query' && example !== undefined ? [[name, String(example)]] : [],
    ),
  );

/** @returns the values of the parameters that stand at a place of the request, without empty ones */
const valuesAt = (place: Parameter['in'], { parameters }: OperationView, values: Values): Values =>
  Object.fromEntries(
    parameters.flatMap(({ name, in: one }) => (one === place && values[name] ? [[name, values[name]]] : [])),
  );

/** @returns path and query of the request */
const addressOf = (operation: OperationView, values: Values): string => {
  const inPath = valuesAt('path', operation, values);
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath[name] ?? ''));
  return urlOf(path, valuesAt('query', operation, values));
};

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
    setBusy(true);
    try {
      setSent(await send(method, addressOf(operation, values), parsed, valuesAt('header', operation, values)));
      // Whoever is signed in may be somebody else now.
      if (isOfSession(path)) await readSession();
      route(urlOf(here, { ...values, [CREDENTIAL]: undefined }), true);
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
              <ParameterField
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
