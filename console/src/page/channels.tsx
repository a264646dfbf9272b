import { useApi } from '../api/query.js';
import { channelPath } from '../part/link.js';
import { Card, Page } from '../part/page.js';
import { Empty, Loading } from '../part/state.js';
import { counted, formatNumber } from '../part/text.js';

/** Channels with the most casts of the week. */
export const Channels = () => {
  const read = useApi('/v2/social/channel/trending/', { time_window: '7d', limit: 25 });
  return (
    <Page
      title="Channels"
      note="Those with the most casts of the last seven days; the field above finds every other one."
    >
      <Card>
        <Loading read={read} what="The channels">
          {({ channels }) =>
            channels.length === 0 ? (
              <Empty title="No channel was used this week">
                A cast is in a channel if its parent is the address of the channel.
              </Empty>
            ) : (
              <div class="scroll">
                <table>
                  <thead>
                    <tr>
                      <th>Channel</th>
                      <th class="num">Casts today</th>
                      <th class="num">7 days</th>
                      <th class="num">30 days</th>
                      <th class="num">Followers</th>
                    </tr>
                  </thead>
                  <tbody>
                    {channels.map(({ channel, cast_count_1d: day, cast_count_7d: week, cast_count_30d: month }) => (
                      <tr key={channel.id}>
                        <td>
                          <a href={channelPath(channel.id)}>
                            <b>/{channel.id}</b>
                          </a>{' '}
                          <span class="faint">{channel.name}</span>
                        </td>
                        <td class="num">{day}</td>
                        <td class="num">{week}</td>
                        <td class="num">{month}</td>
                        <td class="num">
                          {'follower_count' in channel ? formatNumber(channel.follower_count ?? 0) : ''}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
                <p class="faint small pad">{counted(channels.length, 'channel')}</p>
              </div>
            )
          }
        </Loading>
      </Card>
    </Page>
  );
};
