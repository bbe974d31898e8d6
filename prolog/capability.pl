:- module(hb_capability, []).

/** <module> What a capability brings

A capability is a room of its own: a folder whose file `room.pl` adds clauses to
the hooks of this module, and a line of rooms.pl.  Nothing else names it.

Untrusted code reaches none of the hooks: it can name no module but its own and
the system's, and has no clauses in any other.
*/

%!  request(+Request, -Control, -Parts) is semidet.
%
%   Serve a request of the engine protocol that is none of hornbook's own: the control line and the
%   parts of its reply, as hb_reply:reply_string/2 takes them.  What it throws refuses the request.

%!  boot_option(+Option) is semidet.
%
%   Option of the request `boot` is for a capability, which hears it before it is allowed.

%!  word(?Word) is nondet.
%
%   Word is in the vocabulary of control lines, beside those of hb_reply.

%!  class(+Capability, ?Name, ?Arity, -Class) is nondet.
%
%   Class, as of hb_policy:class/3, is that of the predicate Name/Arity in an engine that is booted
%   with Capability.  It takes the place of another class.

%!  called(+Module, +Goal, -Safe) is semidet.
%
%   A goal of the class offered(Module) or override(Module) is called as Module:Safe.  Without a
%   clause it is called as Module:Goal.

%!  qualified(+Module, +Goal, -Safe) is semidet.
%
%   A goal Module:Goal, Module none of the user's, is called as Safe.

%!  written(+Module, +Safe, -Goal) is semidet.
%
%   Module:Safe was written as Goal: called/3 back.  Without a clause it was written as Safe.

%!  output_stream(+Stream, -Own) is semidet.
%
%   Untrusted code may write to the stream Own, which it names Stream.

%!  given(?Name, ?Arity, -Said) is semidet.
%
%   The predicate Name/Arity of the capability has facts that code cannot change: Said, a part of a sentence, tells
%   what they are and what changes them.

%!  assume(+Fact) is semidet.
%!  drop_assumed is nondet.
%
%   Fact, of a predicate that the capability offers, holds until drop_assumed/0.

%!  error_message(+Formal, -Message) is semidet.
%
%   Message, a string, is what is told of the error term error(Formal, _) of a capability.

%!  asked(?Name, ?Arity) is nondet.
%
%   The host asks clauses of the user's that have this name: they are private to no module.

%!  source(+Module, +Goal, -Source) is semidet.
%
%   Module:Goal, which has succeeded, rests on Source, an atom, for those who read a proof.

:- multifile
    request/3,
    boot_option/1,
    word/1,
    class/4,
    called/3,
    qualified/3,
    written/3,
    output_stream/2,
    given/3,
    assume/1,
    drop_assumed/0,
    error_message/2,
    asked/2,
    source/3.
