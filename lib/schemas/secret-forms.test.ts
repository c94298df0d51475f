import { expect, test } from "vitest";
import { SECRET_KINDS, secretValueSchema } from "./secret";
import { SECRET_FORMS, secretBody } from "./secret-forms";

const TYPED = {
  field: "X-Api-Key",
  value: "v",
  token: "t",
  username: "u",
  password: "",
  access_key_id: "a",
  secret_access_key: "s",
  region: "eu-west-1",
  endpoint: "https://s3.example.org",
  session_token: "x",
};

test.each(SECRET_KINDS)("the form for %s has the API's fields, with the same required ones", (kind) => {
  expect(secretValueSchema.safeParse(secretBody(kind, TYPED)).error).toBeUndefined();
  const required = Object.fromEntries(
    SECRET_FORMS[kind].fields.flatMap(({ name, optional }) =>
      optional ? [] : [[name, TYPED[name as keyof typeof TYPED]]],
    ),
  );
  expect(secretValueSchema.safeParse(secretBody(kind, required)).error).toBeUndefined();
});

test.each(SECRET_KINDS)("every secret field of %s is a password input", (kind) => {
  const open = SECRET_FORMS[kind].fields.filter(({ isSecret }) => !isSecret).map(({ name }) => name);
  expect(open.filter((name) => !["field", "username", "access_key_id", "region", "endpoint"].includes(name))).toEqual(
    [],
  );
});
