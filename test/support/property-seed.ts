import fc from 'fast-check';

/**
 * Property tests use a fixed seed, so that results are reproducible; `FC_SEED=random` tries others, and a failing seed
 * belongs in the test that failed.
 */
const wanted = process.env.FC_SEED ?? '20261120';
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: wanted === 'random' ? Date.now() : Number(wanted) });
