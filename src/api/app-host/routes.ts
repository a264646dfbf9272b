import type { Operation } from '../http/operation.js';
import { appHostGetEvent } from './app-host-get-event.js';
import { appHostGetUserNotifications } from './app-host-get-user-notifications.js';
import { appHostGetUserState } from './app-host-get-user-state.js';
import { appHostNotify } from './app-host-notify.js';
import { appHostPostEvent } from './app-host-post-event.js';

export const appHostRoutes: readonly Operation[] = [
  appHostGetEvent,
  appHostPostEvent,
  appHostGetUserState,
  appHostGetUserNotifications,
  appHostNotify,
];
