import Type from 'typebox';
import { Fid } from '../../schema/fid.js';

/** Query parameter of operations whose response shows the viewer's relation to its items. */
export const viewerFid = Type.Optional(Fid);

/** Headers of operations for which the contract allows experimental behaviour on request; there is none yet. */
export const experimentalHeader = Type.Object({
  'x-service-experimental': Type.Optional(
    Type.Boolean({ default: false, description: 'Switches on experimental behaviour.' }),
  ),
});
