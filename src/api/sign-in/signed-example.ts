/** What a wallet sends, as far as it is the same for every sign-in. */
export const SIGNED_EXAMPLE = {
  message: [
    'app.example wants you to sign in with your Ethereum account:',
    '0x0000000000000000000000000000000000000001',
    '',
    'Farcaster Auth',
    '',
    'URI: https://app.example/login',
    'Version: 1',
    'Chain ID: 10',
    'Nonce: 12345678',
    'Issued At: 2026-01-01T00:00:00.000Z',
    'Resources:',
    '- farcaster://fid/1',
  ].join('\n'),
  signature: `0x${'00'.repeat(65)}`,
};

export const SIGNED_EXAMPLE_NOTE = 'Put the nonce and the address into the message, and let the wallet sign it.';
