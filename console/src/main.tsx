import './style/token.css';
import './style/part.css';
import './style/cast.css';
import './style/form.css';
import './style/view.css';
import './style/shell.css';
import { QueryClientProvider } from '@tanstack/preact-query';
import { render } from 'preact';
import { LocationProvider } from 'preact-iso';
import { queryClient } from './api/query.js';
import { App } from './app.js';

render(
  <QueryClientProvider client={queryClient}>
    <LocationProvider>
      <App />
    </LocationProvider>
  </QueryClientProvider>,
  document.getElementById('app') as HTMLElement,
);
