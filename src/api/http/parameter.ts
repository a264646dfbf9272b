import Type from 'typebox';
import { Fid } from '../../schema/fid.js';

/** Query member of operations whose answer shows how the viewer stands to what it lists. */
export const viewerFid = Type.Optional(Fid);

/** Headers of operations that the contract lets behave experimentally on request; none does yet. */
export const experimentalHeader = Type.Object({
  'x-service-experimental': Type.Optional(
    Type.Boolean({ default: false, description: 'Switches on experimental behaviour.' }),
  ),
});
