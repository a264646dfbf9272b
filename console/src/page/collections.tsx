import { CONSOLE } from '../api/base.js';
import { useApi } from '../api/query.js';
import type { components } from '../api/schema.js';
import { Mono } from '../part/copy.js';
import { requestPath } from '../part/link.js';
import { Card, Chip, Page, type Tone } from '../part/page.js';
import { Empty, Loading } from '../part/state.js';
import { counted } from '../part/text.js';
import { Time } from '../part/time.js';

type Collection = components['schemas']['PortalCollection'];

const STATES: Readonly<Record<Collection['state'], readonly [tone: Tone, words: string]>> = {
  deployed: ['ok', 'Deployed'],
  pending: ['warn', 'In no block yet'],
  failed: ['bad', 'Not deployed'],
  elsewhere: ['plain', 'Deployed elsewhere'],
};

const Next = ({ one }: { readonly one: Collection }) => {
  if (one.state === 'pending') return <span class="soft small">Wait for its block</span>;
  const wallet = new URLSearchParams({ 'x-wallet-id': one.wallet_id });
  if (one.state === 'failed')
    return (
      <a class="link" href={`${requestPath('deploy-erc721')}?${wallet}`}>
        Deploy again
      </a>
    );
  const query = new URLSearchParams({ contract_address: one.address ?? '', network: one.network });
  return (
    <span class="row">
      <a class="link" href={`${requestPath('mint-nft')}?${wallet}`}>
        Mint
      </a>
      <a class="link" href={`${requestPath('simulate-nft-mint')}?${query}`}>
        Simulate
      </a>
    </span>
  );
};

/** NFT collections of the organization. */
export const Collections = () => {
  const read = useApi('/portal/collections', undefined, { every: 15_000 });
  const all = read.data?.collections ?? [];
  const failed = all.filter(({ state }) => state === 'failed').length;
  const title = `${counted(all.length, 'collection')}${failed === 0 ? '' : `, ${failed} not deployed`}`;
  return (
    <Page
      title={read.data ? (all.length === 0 ? 'No collection yet' : title) : 'Collections'}
      note="Collections of NFTs that your wallets deployed, or for whose tokens the service answers with metadata."
    >
      <Card>
        <Loading read={read} what="The collections">
          {() =>
            all.length === 0 ? (
              <Empty
                title="Nothing was deployed"
                request={`-H "x-wallet-id: $WALLET" -H 'content-type: application/json' -d '{"name":"First","symbol":"FIRST","network":"base"}' $URL/v2/social/nft/deploy/erc721/`}
              >
                A collection is a contract that you mint NFTs of, to accounts by their number. A{' '}
                <a class="link" href={`${CONSOLE}/wallets`}>
                  wallet
                </a>{' '}
                pays for it.
              </Empty>
            ) : (
              <div class="scroll">
                <table>
                  <thead>
                    <tr>
                      <th>Collection</th>
                      <th>Network</th>
                      <th>Contract</th>
                      <th>Wallet</th>
                      <th>State</th>
                      <th>Made</th>
                      <th>Next</th>
                    </tr>
                  </thead>
                  <tbody>
                    {all.map((one) => {
                      const [tone, words] = STATES[one.state];
                      return (
                        <tr key={one.collection_id}>
                          <td>
                            <b>{one.name ?? 'Without a name'}</b> <span class="faint">{one.symbol}</span>
                          </td>
                          <td>{one.network}</td>
                          <td>{one.address ? <Mono text={one.address} /> : <span class="faint">none yet</span>}</td>
                          <td>
                            <a href={`${CONSOLE}/wallets?wallet=${one.wallet_id}`} class="mono">
                              {one.wallet_address.slice(0, 8)}
                            </a>
                          </td>
                          <td>
                            <Chip tone={tone}>{words}</Chip>
                          </td>
                          <td>
                            <Time at={one.created_at} />
                          </td>
                          <td>
                            <Next one={one} />
                          </td>
                        </tr>
                      );
                    })}
                  </tbody>
                </table>
              </div>
            )
          }
        </Loading>
      </Card>
    </Page>
  );
};
