import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { actorFid } from '../api/actor.js';
import { CONSOLE } from '../api/base.js';
import { useApi, usePages } from '../api/query.js';
import { ActAs } from '../part/act-as.js';
import { CastCard } from '../part/cast-card.js';
import { More } from '../part/more.js';
import { Card, Page } from '../part/page.js';
import { PersonRow } from '../part/person-row.js';
import { Empty, Loading } from '../part/state.js';

const Found = ({ words }: { readonly words: string }) => {
  const read = useApi('/v2/social/user/search/', { q: words, limit: 10 });
  return (
    <Card title="Found">
      <Loading read={read} what="The search">
        {({ result: { users } }) =>
          users.length === 0 ? (
            <Empty title="Nobody has a name like this">
              A name is found by its beginning, and by words of the profile.
            </Empty>
          ) : (
            <div class="list">
              {users.map((user) => (
                <PersonRow key={user.fid} user={user} />
              ))}
            </div>
          )
        }
      </Loading>
    </Card>
  );
};

/** Everybody's newest casts, and a search for people. */
export const People = () => {
  const { query, route } = useLocation();
  const [words, setWords] = useState(query.q ?? '');
  const feed = usePages('/v2/social/feed/', {
    feed_type: 'filter',
    filter_type: 'global_trending',
    limit: 25,
    viewer_fid: actorFid.value,
  } as never);
  return (
    <Page
      title="People and what they say"
      note="Find somebody by name, or read what many like now."
      actions={<ActAs />}
    >
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          route(`${CONSOLE}/people${words ? `?q=${encodeURIComponent(words)}` : ''}`);
        }}
      >
        <input
          class="input grow"
          type="search"
          aria-label="Name"
          placeholder="Name"
          value={words}
          onInput={({ currentTarget }) => setWords(currentTarget.value)}
        />
        <button type="submit" class="button first">
          Find
        </button>
      </form>
      {query.q ? <Found words={query.q} /> : null}
      <Card title="Trending">
        <Loading read={feed} what="The feed">
          {({ pages }) => (
            <>
              {pages.flatMap(({ casts }) => casts.map((cast) => <CastCard key={cast.hash} cast={cast} />))}
              {pages[0]?.casts.length === 0 ? (
                <Empty title="Nothing trends now">The feed ranks casts of the last days.</Empty>
              ) : null}
            </>
          )}
        </Loading>
        <More pages={feed} />
      </Card>
    </Page>
  );
};
