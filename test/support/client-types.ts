import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import ts from 'typescript';

/** One call of the public client, as its package declares it. */
export interface ClientCall {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  /** In lower case, without the key's. */
  readonly headers: readonly string[];
  readonly request: ts.Type | undefined;
  /** Member of the request that is sent as the body. */
  readonly body: string | undefined;
  readonly response: ts.Type | undefined;
}

/** The type of a value of the client, with alternatives merged. */
export interface ClientShape {
  readonly members: Map<string, ts.Type[]>;
  readonly items: ts.Type[];
  readonly rest: ts.Type[];
  readonly constants: Set<string>;
}

const packageFolder = (): string =>
  dirname(ts.sys.resolvePath(new URL(import.meta.resolve('@neynar/nodejs-sdk')).pathname));

const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, one]) => one as string);

/** Reads what each call sends from the generated code: the declarations contain neither paths nor header names. */
const readCalls = (code: string) => {
  const parts = code.slice(0, code.search(/const \w+ApiFp = /)).split(/\n {8}(\w+): async \(/);
  return parts.slice(1).flatMap((name, index, all) => {
    if (index % 2 === 1) return [];
    const text = all[index + 1] as string;
    const headers = matches(text, /localVarHeaderParameter\['([^']+)'\]/g).map((header) => header.toLowerCase());
    return {
      name,
      method: matches(text, /method: '(\w+)'/g)[0] as string,
      path: matches(text, /localVarPath = `([^`]+)`/g)[0] as string,
      query: matches(text, /localVarQueryParameter\['([^']+)'\]/g),
      headers: headers.filter((header) => header !== 'content-type' && header !== 'x-api-key'),
      body: matches(text, /serializeDataIfNeeded\)\((\w+),/g)[0],
    };
  });
};

/** Reads the calls of `@neynar/nodejs-sdk` and their types with the TypeScript compiler. */
export const openClientTypes = () => {
  const folder = packageFolder();
  const files = ['api', 'hub-api'].flatMap((part) =>
    readdirSync(`${folder}/${part}/apis`)
      .filter((name) => name.endsWith('.d.ts'))
      .map((name) => `${folder}/${part}/apis/${name}`),
  );
  const program = ts.createProgram(files, {
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
  });
  const checker = program.getTypeChecker();

  const methodOf = (file: string, name: string): ts.Signature | undefined => {
    const source = program.getSourceFile(file);
    const members = source?.statements.filter(ts.isClassDeclaration).flatMap((one) => [...one.members]) ?? [];
    const found = members.filter(ts.isMethodDeclaration).find((member) => member.name.getText() === name);
    return found && checker.getSignatureFromDeclaration(found);
  };
  const argument = (type: ts.Type | undefined): ts.Type | undefined =>
    type && checker.getTypeArguments(type as ts.TypeReference)[0];
  /** @returns `Body` of `Promise<AxiosResponse<Body>>` */
  const responseOf = (signature: ts.Signature): ts.Type | undefined => {
    const data = argument(signature.getReturnType())?.getProperty('data');
    return data && checker.getTypeOfSymbol(data);
  };

  const calls = files.flatMap((file) =>
    readCalls(readFileSync(file.replace(/\.d\.ts$/, '.js'), 'utf8')).map((call): ClientCall => {
      const signature = methodOf(file, call.name);
      const request = signature?.parameters[0];
      return {
        ...call,
        request: request && checker.getTypeOfSymbol(request),
        response: signature && responseOf(signature),
      };
    }),
  );

  const gather = (type: ts.Type, shape: ClientShape): ClientShape => {
    if (type.isUnionOrIntersection()) for (const part of type.types) gather(part, shape);
    else if (type.isStringLiteral()) shape.constants.add(type.value);
    else if (checker.isArrayType(type) || type.symbol?.name === 'Set') shape.items.push(argument(type) as ts.Type);
    else if (type.flags & ts.TypeFlags.Object) {
      for (const member of type.getProperties()) {
        shape.members.set(member.name, [...(shape.members.get(member.name) ?? []), checker.getTypeOfSymbol(member)]);
      }
      const rest = type.getStringIndexType();
      if (rest) shape.rest.push(rest);
    }
    return shape;
  };

  return {
    calls,
    checker,
    shapeOf: (types: readonly ts.Type[]): ClientShape => {
      const shape: ClientShape = { members: new Map(), items: [], rest: [], constants: new Set() };
      for (const type of types) gather(type, shape);
      return shape;
    },
  };
};
