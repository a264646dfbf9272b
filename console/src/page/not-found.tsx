import { CONSOLE } from '../api/base.js';
import { Page } from '../part/page.js';

export const NotFound = () => (
  <Page title="There is no such page" note="The address is mistyped, or the page was taken away.">
    <p>
      <a class="link" href={`${CONSOLE}/`}>
        Go to Home
      </a>
    </p>
  </Page>
);
