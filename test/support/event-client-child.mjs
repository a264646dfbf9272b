// The reader of a stream: notes the id of each event, and goes on after the last one when it starts or its connection ends.
// It ends after the event that contains a text.
// argv: address of the stream, API key, file for the ids, the text.
import { appendFileSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

const [url, key, file, lastText] = process.argv.slice(2);
let last = readFileSync(file, 'utf8').split('\n').at(-2) ?? '0';

const read = () =>
  new Promise((resolve) => {
    const asked = request(`${url}&since=${last}`, { headers: { 'x-api-key': key }, agent: false }, (response) => {
      let unread = '';
      response.setEncoding('utf8').on('data', (text) => {
        if (response.statusCode !== 200) return;
        const blocks = (unread + text).split('\n\n');
        unread = blocks.pop();
        for (const block of blocks) {
          const id = /^id: (\S+)\ndata: \{"id"/.exec(block)?.[1];
          if (id === undefined) continue;
          appendFileSync(file, `${id}\n`);
          last = id;
          if (block.includes(lastText)) process.exit(0);
        }
      });
      response.on('error', () => undefined).on('close', resolve);
    });
    asked.on('error', resolve).end();
  });

process.stdout.write('ready\n');
for (;;) {
  await read();
  await wait(50);
}
