import { appCases } from './app.js';
import { profileCases } from './profile.js';
import { publishCases } from './publish.js';
import { tryCases } from './run.js';
import { signerCases } from './signer.js';
import { startWriteWorld } from './write-world.js';

tryCases(startWriteWorld, [...signerCases, ...publishCases, ...profileCases, ...appCases]);
