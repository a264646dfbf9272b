import { useState } from 'preact/hooks';
import { write } from '../api/client.js';
import { refresh } from '../api/query.js';
import { useRequestId } from '../api/request-id.js';
import { Confirmation } from './action.js';
import { CAMPAIGNS } from './campaign.js';
import { counted } from './text.js';
import { TextField } from './text-field.js';

/** Sends a notification to all users of the mini app who allowed it. */
export const NotificationForm = ({ domain }: { readonly domain: string }) => {
  const [title, setTitle] = useState('');
  const [body, setBody] = useState('');
  const [url, setUrl] = useState(`https://${domain}/`);
  const [isFilled, setFilled] = useState(false);
  const [said, setSaid] = useState<string>();
  const { idFor, succeeded } = useRequestId();
  const notify = async () => {
    const notification = { title, body, target_url: url };
    const sent = await write('post', CAMPAIGNS, { notification: { ...notification, uuid: idFor(notification) } });
    succeeded();
    // With many users it is sent after the answer, which has no counts then.
    const { success_count: count, failure_count: failed } = sent as Partial<typeof sent>;
    setSaid(
      count === undefined
        ? 'It is being sent.'
        : `Sent to ${counted(count, 'user')}${failed ? `, ${failed} failed` : ''}.`,
    );
    await refresh(CAMPAIGNS);
  };
  return (
    <div class="form pad">
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          setSaid(undefined);
          setFilled(true);
        }}
      >
        <div class="two">
          <TextField id="notify-title" label="Title" required maxLength={32} value={title} change={setTitle} />
          <TextField
            id="notify-url"
            label="Opens"
            type="url"
            required
            value={url}
            change={setUrl}
            help={`A page of ${domain}.`}
          />
        </div>
        <TextField id="notify-body" label="Text" required maxLength={128} value={body} change={setBody} />
        {isFilled ? null : (
          <div class="row">
            <button type="submit" class="button first">
              Notify all who allowed it
            </button>
            {said ? (
              <span class="soft" role="status">
                {said}
              </span>
            ) : null}
          </div>
        )}
      </form>
      {isFilled ? (
        <Confirmation
          label="Notify all of them"
          effect={`This goes to all users of ${domain} who allowed it.`}
          name={domain}
          work={notify}
          leave="Do not send it"
          close={() => setFilled(false)}
        />
      ) : null}
    </div>
  );
};
