import Type from 'typebox';
import { requireFname } from '../../fname/rejection.js';
import { FnameAvailabilityResponse } from '../../schema/account/fname.js';
import { selectNameProof } from '../../store/registry/fname.js';
import { operation } from '../http/operation.js';

export const isFnameAvailable = operation({
  id: 'is-fname-available',
  path: '/v2/social/fname/availability/',
  tags: ['fname'],
  title: 'Check a name',
  summary: 'Tell whether a name is free, by the stored proofs and the name registry.',
  cost: { fixed: 5 },
  waitsOutside: true,
  query: Type.Object({ fname: Type.String() }),
  parameters: { fname: { description: 'The name, without a domain.', example: 'somebody' } },
  response: FnameAvailabilityResponse,
  errors: [400, 500],
  handle: async ({ query: { fname } }, { db, accounts }) => {
    requireFname(fname);
    const stored = await selectNameProof(db, fname);
    if (stored && stored.fid !== 0) return { available: false };
    const current = await accounts.names?.current(fname);
    return { available: current === undefined || current.to === 0 };
  },
});
