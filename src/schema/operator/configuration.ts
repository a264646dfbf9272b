import Type from 'typebox';
import { namedObject } from '../named.js';
import { nullable } from '../nullable.js';

export const ConfigurationResponse = namedObject('ConfigurationResponse', {
  profile: Type.String({ description: '`serve` or `dev`, which have different defaults.' }),
  variables: Type.Array(
    Type.Object({
      group: Type.String({ description: 'Title of its part of the documentation.' }),
      name: Type.String(),
      value: nullable(Type.String({ description: 'null: it has none, or a secret one.' })),
      is_secret: Type.Boolean({ description: 'It has a value, which is not shown.' }),
      is_default: Type.Boolean({ description: 'Nobody set it.' }),
      default: Type.String({ description: 'The default value in words, in Markdown.' }),
      description: Type.String({ description: 'In Markdown.' }),
    }),
    { description: 'In the order of the documentation.' },
  ),
});
