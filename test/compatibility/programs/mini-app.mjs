// Answers requests with the API routes of a generated mini app, as Next does: functions by method in a file by path.
import { loadEnvFile } from 'node:process';
import { pathToFileURL } from 'node:url';
import { outcomes } from '../outcome.mjs';

const { environment, routes, requests } = JSON.parse(process.env.INPUT);
loadEnvFile(environment);

const answer = async ({ path, body }) => {
  const url = new URL(path, 'http://localhost:3000');
  const handlers = await import(pathToFileURL(`${routes}${url.pathname}/route.mjs`));
  const options = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body === null ? undefined : body) };
  const response = await handlers[options.method ?? 'GET'](new Request(url, options));
  return { status: response.status, body: await response.json() };
};
const calls = Object.entries(requests).map(([name, request]) => [name, () => answer(request)]);
console.log(JSON.stringify(await outcomes([], Object.fromEntries(calls))));
