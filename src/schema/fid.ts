import Type from 'typebox';
import { named } from './named.js';

export const Fid = named('Fid', Type.Integer({ format: 'int32', minimum: 1 }));

export const FidOrZero = named('FidOrZero', Type.Integer({ format: 'int32', minimum: 0 }));
