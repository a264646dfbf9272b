import { SIGNED_KEY_REQUEST_VALIDATOR_EIP_712_TYPES } from '@farcaster/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AccountNetwork, newPerson, startAccountNetwork, transferBody } from './support/account.js';
import { createSecondApp } from './support/app.js';
import { fidOf, inAnHour, registerAccount } from './support/registry.js';
import { registerHolder } from './support/signer.js';

const FID = '/v2/social/user/fid/';
const PATH = '/v2/social/user/';

let fixture: AccountNetwork;
beforeAll(async () => {
  fixture = await startAccountNetwork({ CASTELLAN_RESERVATIONS: '20' });
});
afterAll(() => fixture.stop());

const reserve = async (headers = fixture.headers): Promise<number> => {
  const { status, body } = await fixture.network.get(FID, headers);
  expect([status, body.message]).toEqual([200, undefined]);
  return body.fid;
};
const send = (body: object, headers = fixture.headers) => fixture.network.send('POST', PATH, body, headers);

test('gives a reserved account to a person, with a signer that casts', async () => {
  const { chain, network } = fixture;
  const person = newPerson();
  const fid = await reserve();
  const metadata = {
    bio: 'From nobody.',
    display_name: 'Somebody',
    location: { latitude: 52.5234, longitude: 13.4114 },
    url: 'https://somebody.example',
    verified_accounts: { github: 'somebody' },
  };
  const request = { ...(await transferBody(chain, fid, person)), metadata };
  const { status, body } = await send(request);
  expect([status, body]).toMatchObject([200, { success: true, signer: { status: 'approved', fid } }]);
  expect(body.signers).toHaveLength(1);
  expect(body.user).toMatchObject({ fid, display_name: 'Somebody', profile: { bio: { text: 'From nobody.' } } });
  expect(await fidOf(chain, person.address)).toBe(BigInt(fid));
  expect(
    await chain.public.readContract({
      address: '0x00000000Fc6c5F01Fc30151999387Bb99A9f489b',
      abi: [
        {
          type: 'function',
          name: 'recoveryOf',
          inputs: [{ type: 'uint256' }],
          outputs: [{ type: 'address' }],
          stateMutability: 'view',
        },
      ],
      functionName: 'recoveryOf',
      args: [BigInt(fid)],
    }),
  ).toMatch(/^0x0+$/);
  const cast = await network.send('POST', '/v2/social/cast/', { signer_uuid: body.signer.signer_uuid, text: 'Hello' });
  expect(cast.status).toBe(200);
  const [row] = await network.sql<{ sealed: boolean; state: string }>(
    'select sealed_key is not null as sealed, state from reserved_account where fid = $1',
    [fid],
  );
  expect(row).toEqual({ sealed: false, state: 'transferred' });
  // The same request again gets the same answer, another one is a conflict.
  expect((await send(request)).body).toEqual(body);
  expect((await send({ ...request, metadata: { bio: 'Another.' } })).status).toBe(409);
});

test('adds the signer that an app requested', async () => {
  const { chain, network } = fixture;
  const app = newPerson();
  const appFid = Number(await registerAccount(chain, app));
  await registerHolder(network, appFid, app.address);
  const { body: created } = await network.send('POST', '/v2/social/signer/', undefined);
  const fid = await reserve();
  const deadline = await inAnHour(chain);
  const message = { requestFid: BigInt(appFid), key: created.public_key, deadline };
  const types = { ...SIGNED_KEY_REQUEST_VALIDATOR_EIP_712_TYPES, primaryType: 'SignedKeyRequest' } as const;
  const signer = {
    uuid: created.signer_uuid,
    app_fid: appFid,
    deadline: Number(deadline),
    signed_key_request_metadata_signature: await app.signTypedData({ ...types, message }),
  };
  const request = await transferBody(chain, fid, newPerson());
  const wrong = { ...signer, signed_key_request_metadata_signature: request.signature };
  const refused = await send({ ...request, signer: wrong });
  const property = 'signer.signed_key_request_metadata_signature';
  expect([refused.status, refused.body.property]).toEqual([400, property]);
  const { status, body } = await send({ ...request, signer });
  expect([status, body.signer]).toMatchObject([200, { signer_uuid: created.signer_uuid, status: 'approved', fid }]);
  const { events } = (await network.get(`/v1/onChainSignersByFid?fid=${fid}`)).body;
  expect(events).toHaveLength(1);
});

test('twenty people are registered from one wallet at a time', async () => {
  const fids = await Promise.all(Array.from({ length: 20 }, () => reserve()));
  expect(new Set(fids).size).toBe(20);
  const answers = await Promise.all(fids.map(async (fid) => send(await transferBody(fixture.chain, fid, newPerson()))));
  expect(answers.map(({ status }) => status)).toEqual(fids.map(() => 200));
});

test('refuses what cannot be, and the account stays reserved', async () => {
  const { chain, network } = fixture;
  const fid = await reserve();
  const person = newPerson();
  const taken = newPerson();
  await registerAccount(chain, taken);
  const now = BigInt(Math.floor(Date.now() / 1000));
  const good = await transferBody(chain, fid, person);
  const cases: [object, number, string][] = [
    [{ ...good, fid: 1.5 }, 400, 'fid'],
    [{ ...good, fid: 2 ** 31 }, 400, 'fid'],
    [{ ...good, fid: 999_999 }, 404, 'fid'],
    [await transferBody(chain, fid, person, { deadline: now + 200n }), 400, 'deadline'],
    [await transferBody(chain, fid, person, { nonce: 1n }), 400, 'signature'],
    [{ ...good, signature: 'no' }, 400, 'signature'],
    [{ ...good, requested_user_custody_address: newPerson().address }, 400, 'signature'],
    [{ ...good, requested_user_custody_address: 'nobody' }, 400, 'requested_user_custody_address'],
    [await transferBody(chain, fid, taken), 409, 'requested_user_custody_address'],
    [{ ...good, metadata: { bio: 'x'.repeat(257) } }, 400, 'metadata'],
    [{ ...good, metadata: { username: 'somebody' } }, 400, 'metadata'],
    [{ ...good, metadata: { pfp_url: 'no address' } }, 400, 'metadata'],
    [{ ...good, fname: 'Not A Name' }, 400, 'fname'],
    [
      {
        ...good,
        signer: { uuid: crypto.randomUUID(), app_fid: 1, deadline: 1, signed_key_request_metadata_signature: '0x' },
      },
      404,
      'signer.uuid',
    ],
  ];
  for (const [body, status, property] of cases) {
    const answer = await send(body);
    expect([answer.status, answer.body.property, answer.body.message]).toEqual([status, property, expect.any(String)]);
  }
  const other = await createSecondApp(network);
  expect((await send(good, { ...fixture.headers, ...other.headers })).status).toBe(404);
  const otherWallet = await fixture.fund('1');
  expect((await send(good, { 'x-wallet-id': otherWallet.id })).status).toBe(404);
  expect((await send(good)).status).toBe(200);
});

test('a reservation ends after ten minutes, and its account is free again', async () => {
  const fid = await reserve();
  await fixture.network.sql("update reserved_account set reserved_until = now() - interval '1 second' where fid = $1", [
    fid,
  ]);
  expect((await send(await transferBody(fixture.chain, fid, newPerson()))).status).toBe(404);
  expect(await reserve()).toBe(fid);
});

test('an app may have only so many reservations', async () => {
  const other = await createSecondApp(fixture.network);
  const headers = { ...fixture.headers, ...other.headers };
  await Promise.all(Array.from({ length: 20 }, () => reserve(headers)));
  const { status, body } = await fixture.network.get(FID, headers);
  expect([status, body.code]).toEqual([429, 'TooManyReservations']);
});
