import { ConfigurationResponse } from '../../schema/operator/configuration.js';
import { operation } from '../http/operation.js';

export const fetchConfiguration = operation({
  id: 'fetch-configuration',
  path: '/operator/configuration',
  tags: ['operator'],
  title: 'Get the configuration in force',
  summary: 'Read the variables with which the answering process runs: value, default, meaning; no secrets.',
  cost: { fixed: 0 },
  scope: 'operator',
  response: ConfigurationResponse,
  errors: [403],
  handle: async (_request, { isDevelopment, variables }) => ({
    profile: isDevelopment ? 'dev' : 'serve',
    variables: variables.map(({ isSecret, isDefault, defaultText, ...one }) => ({
      ...one,
      is_secret: isSecret,
      is_default: isDefault,
      default: defaultText,
    })),
  }),
});
