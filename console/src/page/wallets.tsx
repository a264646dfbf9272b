import { useLocation } from 'preact-iso';
import { CONSOLE } from '../api/base.js';
import { useApi } from '../api/query.js';
import type { components } from '../api/schema.js';
import { may } from '../api/session.js';
import { Mono } from '../part/copy.js';
import { Card, Chip, Page, Wide } from '../part/page.js';
import { Empty, Loading } from '../part/state.js';
import { counted } from '../part/text.js';
import { Time } from '../part/time.js';

type Wallet = components['schemas']['PortalWallet'];
type Network = components['schemas']['Network'];

/** Networks whose balances the service reads; it may know others, where it only sends. */
const WITH_BALANCES: readonly Network[] = ['ethereum', 'optimism', 'base', 'arbitrum', 'robinhood'];

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** @param amount an integer in the smallest unit @returns it in whole units, with at most six decimals */
const wholeUnits = (amount: string, decimals: number): string => {
  const digits = amount.padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const rest = decimals === 0 ? '' : digits.slice(-decimals).slice(0, 6).replace(/0+$/, '');
  return `${Number(whole).toLocaleString('en-US')}${rest === '' ? '' : `.${rest}`}`;
};

const Balances = ({ wallet, networks }: { readonly wallet: Wallet; readonly networks: readonly Network[] }) => {
  const read = useApi('/v2/onchain/token/balances', {
    address: wallet.address,
    networks: networks.join(','),
    limit: 100,
  } as never);
  return (
    <Card title={`Balances of ${wallet.name}`}>
      <Loading read={read} what="The balances" rows={3}>
        {({ balances }) =>
          balances.length === 0 ? (
            <Empty title="This wallet is empty">
              Send the native coin of a network to <Mono text={wallet.address} />: it pays for the gas of what the
              wallet sends.
            </Empty>
          ) : (
            <Wide label="Balances">
              <table>
                <thead>
                  <tr>
                    <th>Token</th>
                    <th>Network</th>
                    <th class="num">Balance</th>
                    <th class="num">US dollars</th>
                  </tr>
                </thead>
                <tbody>
                  {balances.map((one) => (
                    <tr key={`${one.network} ${one.address}`}>
                      <td>
                        <b>{one.symbol}</b> <span class="faint">{one.name}</span>
                      </td>
                      <td>{one.network}</td>
                      <td class="num">{wholeUnits(one.balance, one.decimals)}</td>
                      <td class={`num${one.balance_usd === null ? ' faint' : ''}`}>
                        {one.balance_usd === null ? 'no price' : dollars.format(Number(one.balance_usd))}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Wide>
          )
        }
      </Loading>
    </Card>
  );
};

/** The wallets that pay for what the organization sends to chains. */
export const Wallets = () => {
  const read = useApi('/portal/wallets', undefined, { every: 15_000 });
  const { query } = useLocation();
  const wallets = read.data?.wallets ?? [];
  // Balances are read like any other data of the network.
  const networks = may('read') ? WITH_BALANCES.filter((one) => read.data?.networks.includes(one)) : [];
  const open = wallets.find(({ wallet_id: id }) => id === query.wallet);
  const waiting = wallets.reduce((sum, { open_transactions: count }) => sum + count, 0);
  const title = `${counted(wallets.length, 'wallet')}, ${waiting === 0 ? 'nothing waits' : `${counted(waiting, 'transaction')} in no block yet`}`;
  return (
    <Page
      title={read.data ? (wallets.length === 0 ? 'No wallet yet' : title) : 'Wallets'}
      note="A wallet pays for collections, mints, tokens and storage. The service has its key; requests name it in the header x-wallet-id."
    >
      <Card>
        <Loading read={read} what="The wallets">
          {({ networks: known }) =>
            wallets.length === 0 ? (
              <Empty title="Nothing pays for transactions yet">
                The operator makes a wallet, or takes over a key, on the machine of the service:
                <pre class="pre">castellan wallet create payments</pre>
              </Empty>
            ) : (
              <div class="scroll">
                <table>
                  <thead>
                    <tr>
                      <th>Name</th>
                      <th>Id for requests</th>
                      <th>Address</th>
                      <th>State</th>
                      <th>Made</th>
                      <th>
                        <span class="unseen">Actions</span>
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {wallets.map((one) => (
                      <tr key={one.wallet_id} class={one === open ? 'open' : undefined}>
                        <td>
                          <b>{one.name}</b>
                        </td>
                        <td>
                          <Mono text={one.wallet_id} />
                        </td>
                        <td>
                          <Mono text={one.address} />
                        </td>
                        <td>
                          <Chip tone={one.open_transactions === 0 ? 'ok' : 'warn'}>
                            {one.open_transactions === 0 ? 'Nothing waits' : `${one.open_transactions} waiting`}
                          </Chip>
                        </td>
                        <td>
                          <Time at={one.created_at} />
                        </td>
                        <td>
                          {networks.length > 0 ? (
                            <a class="button" href={`${CONSOLE}/wallets?wallet=${one.wallet_id}`}>
                              Read balances
                            </a>
                          ) : null}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
                <p class="faint small pad">
                  {known.length === 0
                    ? 'The service knows no node of a network: set CASTELLAN_RPC_ and the name of a network.'
                    : `Networks: ${known.join(', ')}.`}
                </p>
              </div>
            )
          }
        </Loading>
      </Card>
      {open && networks.length > 0 ? <Balances key={open.wallet_id} wallet={open} networks={networks} /> : null}
    </Page>
  );
};
