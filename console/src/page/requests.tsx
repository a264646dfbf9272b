import { useState } from 'preact/hooks';
import { type OperationView, useOperations } from '../api/document.js';
import { requestPath } from '../part/link.js';
import { Card, Page } from '../part/page.js';
import { Empty, Loading } from '../part/state.js';
import { counted } from '../part/text.js';

const fits = ({ id, title, path }: OperationView, words: string): boolean =>
  words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => `${id} ${title} ${path}`.toLowerCase().includes(word));

const grouped = (operations: readonly OperationView[]): [string, OperationView[]][] => {
  const groups = new Map<string, OperationView[]>();
  for (const operation of operations) groups.set(operation.tag, [...(groups.get(operation.tag) ?? []), operation]);
  return [...groups];
};

/** Every operation, found by its words. */
export const Requests = () => {
  const read = useOperations();
  const [words, setWords] = useState('');
  return (
    <Page
      title="Send a request"
      note={
        read.data
          ? `${counted(read.data.length, 'operation')}, each with a form that knows its parameters and an example.`
          : undefined
      }
    >
      <input
        class="input"
        type="search"
        aria-label="Operation"
        placeholder="Words of a name or a path: followers, webhook, feed"
        value={words}
        onInput={({ currentTarget }) => setWords(currentTarget.value)}
      />
      <Loading read={read} what="The operations">
        {(operations) => {
          const groups = grouped(operations.filter((one) => fits(one, words)));
          if (groups.length === 0)
            return (
              <Card>
                <Empty title="No operation has these words">Try a part of its path.</Empty>
              </Card>
            );
          return groups.map(([tag, list]) => (
            <Card key={tag} title={tag} aside={<span class="faint small">{list.length}</span>}>
              <div class="list">
                {list.map(({ id, method, path, title }) => (
                  <a key={id} href={requestPath(id)}>
                    <span class={`verb ${method.toLowerCase()}`}>{method}</span>
                    <span class="grow">
                      {title} <span class="faint mono cut">{path}</span>
                    </span>
                  </a>
                ))}
              </div>
            </Card>
          ));
        }}
      </Loading>
    </Page>
  );
};
