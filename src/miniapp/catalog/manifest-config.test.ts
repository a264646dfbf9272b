import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCheck } from '../../api/http/validation.js';
import readDocument from '../../crawl/document-thread.js';
import { MINI_APP_CATEGORIES } from '../../schema/miniapp/manifest.js';
import { SocialManifestConfig } from '../../schema/social/frame.js';
import { ManifestError } from '../manifest-error.js';
import { parseManifest } from '../manifest-reader.js';
import { type HomePageEmbed, publicEmbed } from './home-page.js';
import { parseConfig, publicConfig } from './manifest-config.js';

const RULE = { allowLoopback: false };
const check = createCheck(SocialManifestConfig);

/** Addresses as strangers write them, with what browsers accept and RFC 3986 does not. */
const address = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => `https://a.example/${text}?${text}#${text}`),
  fc.constantFrom(
    'https://a.example/[1]|{2}^`%zz"<>\\',
    'https://a.example/%',
    'https://ä.example/ü',
    'https://[::1]/',
  ),
);
const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 32 }), fc.constantFrom('\ud800', '\u0000', 'a\u202eb'));

const sound = fc.record(
  {
    version: fc.constantFrom('1', 'next', '0.0.0', '0.0.1'),
    name: text,
    iconUrl: address,
    homeUrl: address,
    imageUrl: address,
    heroImageUrl: address,
    ogImageUrl: address,
    screenshotUrls: fc.array(address, { maxLength: 3 }),
    subtitle: text,
    description: text,
    tags: fc.array(text, { maxLength: 5 }),
    primaryCategory: fc.constantFrom(...MINI_APP_CATEGORIES),
    noindex: fc.boolean(),
  },
  { requiredKeys: ['version', 'name', 'iconUrl', 'homeUrl'] },
);

const bodyOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value) ?? '');
const association = { header: 'e30', payload: 'e30', signature: 'AA' };

/** @returns undefined for a manifest with a fault; other errors are thrown */
const read = (body: Buffer) => {
  try {
    return publicConfig(parseConfig(parseManifest(body).value).config, RULE);
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    expect(error.message).toMatch(/^[\x20-\x7e]{10,200}$/);
    return undefined;
  }
};

test('what is shown of a manifest is valid in responses, whatever its domain wrote', () => {
  let shown = 0;
  fc.assert(
    fc.property(sound, (miniapp) => {
      const found = read(bodyOf({ accountAssociation: association, miniapp }));
      if (found === undefined) return;
      shown++;
      const json = JSON.parse(JSON.stringify(found));
      expect(check(json)).toBeUndefined();
      expect(JSON.stringify(json)).not.toMatch(/\\u00[01]|\\ud[89a-f]|[\u202a-\u202e]/i);
    }),
    { numRuns: 500 },
  );
  // Most have a fault.
  expect(shown).toBeGreaterThan(10);
});

test('any other JSON, and anything else, is a fault and no error', () => {
  const member = fc.oneof(fc.jsonValue(), sound, fc.constant(association));
  const value = fc.oneof(
    fc.jsonValue(),
    fc.record({ accountAssociation: member, miniapp: member, frame: member }, { requiredKeys: [] }),
  );
  fc.assert(
    fc.property(value, (one) => void read(bodyOf(one))),
    { numRuns: 500 },
  );
  fc.assert(fc.property(fc.uint8Array(), (bytes) => void read(Buffer.from(bytes))));
  expect(read(Buffer.from('['.repeat(100_000)))).toBeUndefined();
});

test('a home page never throws, and names only addresses that may be loaded', async () => {
  const embed = fc.oneof(
    fc.string(),
    fc.record({
      version: fc.constantFrom('1', 1, 'next', '2'),
      imageUrl: address,
      button: fc.constant({ title: 'x' }),
    }),
    fc.jsonValue(),
  );
  await fc.assert(
    fc.asyncProperty(embed, fc.constantFrom('fc:miniapp', 'fc:frame'), async (content, name) => {
      const written = typeof content === 'string' ? content : JSON.stringify(content);
      const html = `<meta name="${name}" content="${written.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">`;
      const document = { body: Buffer.from(html), contentType: 'text/html', url: 'https://a.example/' };
      const embeds = await readDocument({ kind: 'miniAppEmbeds', document });
      const found = publicEmbed(embeds as HomePageEmbed[], RULE);
      if (found !== undefined) expect(found.imageUrl).toMatch(/^https:\/\/[^\s"<>]+$/);
    }),
    { numRuns: 300 },
  );
});
