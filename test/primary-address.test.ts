import { UserDataType } from '@farcaster/core';
import { getAddress } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../src/ingest/pipeline/audit.js';
import { type HubFlow, startHubFlow } from './support/hub-api.js';

let hub: HubFlow;
beforeAll(async () => {
  hub = await startHubFlow(true);
});
afterAll(() => hub.stop());

test('a primary address is accepted with a verification, goes with it, and does not come back with it', async () => {
  const { grace, clock } = hub.seeded;
  const wallet = grace.wallet(7);
  const address = getAddress(wallet.account.address);
  const submit = async (wire: Uint8Array) => {
    const { status, body } = await hub.post('hub-publish-message', '/v1/submitMessage', wire);
    return { status, ...(status === 200 ? {} : { details: body.details }) };
  };
  const name = () =>
    submit(grace.userData(UserDataType.USER_DATA_PRIMARY_ADDRESS_ETHEREUM, address, clock.tick()).wire);
  const verify = async () => submit((await grace.verifyEthereum(wallet, clock.tick())).wire);
  const remove = () => submit(grace.removeVerification(0, Buffer.from(address.slice(2), 'hex'), clock.tick()).wire);
  const shown = async (): Promise<string[]> => {
    const { body } = await hub.get('hub-fetch-user-data', `/v1/userDataByFid?fid=${grace.fid}`);
    return (body.messages as { data: { userDataBody: { value: string } } }[])
      .map(({ data }) => data.userDataBody.value)
      .filter((value) => value === address);
  };

  expect(await name()).toEqual({
    status: 400,
    details: expect.stringContaining(`No verification of the primary address by fid ${grace.fid}`),
  });
  expect(await verify()).toEqual({ status: 200 });
  expect(await name()).toEqual({ status: 200 });
  expect(await shown()).toEqual([address]);
  expect(await remove()).toEqual({ status: 200 });
  expect(await shown()).toEqual([]);
  expect(await verify()).toEqual({ status: 200 });
  expect(await shown()).toEqual([]);
  expect(await audit(hub.shell.db)).toEqual([]);
});
