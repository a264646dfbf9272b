import Type from 'typebox';
import { expect, test } from 'vitest';
import { named, namedSchema, nameOf } from './named.js';

test('a name belongs to one object and its optional copy', () => {
  const Shape = named('ShapeOfThisTest', Type.Object({ a: Type.Integer() }));
  expect(nameOf(Shape)).toBe('ShapeOfThisTest');
  expect(namedSchema('ShapeOfThisTest')).toBe(Shape);
  expect(nameOf(Type.Optional(Shape))).toBe('ShapeOfThisTest');
  expect(nameOf(Object.assign(Type.Optional(Shape), { description: 'another' }))).toBeUndefined();
  expect(nameOf(Type.Object(Shape.properties))).toBeUndefined();
  expect(() => named('ShapeOfThisTest', Type.String())).toThrow('two schemas');
});

test('the name leaves no trace in the schema itself', () => {
  const Shape = named('OtherShapeOfThisTest', Type.Object({ a: Type.Integer() }));
  expect(JSON.parse(JSON.stringify(Shape))).toEqual({
    type: 'object',
    required: ['a'],
    properties: { a: { type: 'integer' } },
  });
});
