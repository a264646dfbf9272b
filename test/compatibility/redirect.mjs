// Sends one request in each of the ways that programs have, and prints what came back.
import { get, request } from 'node:https';
import { text } from 'node:stream/consumers';
import axios from 'axios';
import { fetch as undiciFetch, request as undiciRequest } from 'undici';
import { outcomes } from './outcome.mjs';

const { other } = JSON.parse(process.env.INPUT);
const HOST = 'api.neynar.com';
const url = `https://${HOST}/v2/farcaster/x?y=1`;
const headers = { 'x-api-key': 'key' };
const body = '{"a":1}';
const read = (send) =>
  new Promise((resolve, reject) =>
    send((response) => text(response).then(JSON.parse).then(resolve, reject)).on('error', reject),
  );

const calls = {
  fetch: async () => (await fetch(url, { headers })).json(),
  fetchPost: async () => (await fetch(url, { method: 'POST', headers, body })).json(),
  undiciFetch: async () => (await undiciFetch(url, { headers })).json(),
  undiciRequest: async () => (await undiciRequest(url, { headers })).body.json(),
  get: () => read((done) => get(url, { headers: { ...headers, Host: HOST } }, done)),
  request: () => read((done) => request({ hostname: HOST, path: '/v2/farcaster/x?y=1', headers }, done).end()),
  requestHost: () => read((done) => get({ host: `${HOST}:443`, path: '/v2/farcaster/x?y=1', headers }, done)),
  axios: async () => (await axios.get(url, { headers })).data,
  axiosPost: async () => (await axios.post(url, body, { headers })).data,
  // Everything else goes where it went before.
  other: async () => (await fetch(other)).json(),
  otherGet: async () => (await axios.get(other)).data,
};
console.log(JSON.stringify(await outcomes([], calls)));
