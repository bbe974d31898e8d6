/** Who may do what; the server and the page ask the same rules. */
export const RULES = `
may(Who, What) :- role(Who, Role), allows(Role, What).
role(ada, editor).
role(bob, reader).
allows(reader, read).
allows(editor, What) :- member(What, [read, write]).
`;
