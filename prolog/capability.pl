:- module(hb_capability, []).

/** <module> The hooks of a capability

A capability lives in a folder of its own, whose file `room.pl` adds clauses to the
hooks of this module, and in a line of rooms.pl.  Nothing else names it.

Untrusted code cannot reach the hooks: it can name only its own modules and those
of the system, and has no clauses in any other.
*/

%!  request(+Request, -Control, -Parts) is semidet.
%
%   Serve a request of the engine protocol that Hornbook's core does not know.  Control and Parts
%   are the control line and the parts of the reply, as for hb_reply:reply_string/2.  An exception
%   refuses the request.

%!  boot_option(+Option) is semidet.
%
%   Set Option of the request `boot`, which belongs to a capability.  Called before capabilities are allowed.

%!  word(?Word) is nondet.
%
%   Word belongs to the vocabulary of control lines, in addition to the words of hb_reply.

%!  class(+Capability, ?Name, ?Arity, -Class) is nondet.
%
%   In an engine booted with Capability, Name/Arity has Class, as in hb_policy:class/3.  Replaces
%   any other class.

%!  called(+Module, +Goal, -Safe) is semidet.
%
%   A goal of the class offered(Module) or override(Module) is called as Module:Safe.  Without a
%   clause, it is called as Module:Goal.

%!  qualified(+Module, +Goal, -Safe) is semidet.
%
%   The goal Module:Goal, where Module is not one of the user's, is called as Safe.

%!  written(+Module, +Safe, -Goal) is semidet.
%
%   Module:Safe was written as Goal: the inverse of called/3.  Without a clause, it was written as Safe.

%!  asks(+Module, +Safe) is semidet.
%
%   Module:Safe may ask something that gets no answer (hb_outages).

%!  output_stream(+Stream, -Own) is semidet.
%
%   Untrusted code may write to the stream Own, which it calls Stream.

%!  file_text(+Path, -Text:string) is semidet.
%
%   Text is what the file Path has for untrusted code.  Fails where the files are those of the book.

%!  given(?Name, ?Arity, -Said) is semidet.
%
%   The predicate Name/Arity of the capability has facts that code cannot change.  Said is part of a
%   sentence that tells what they are and what changes them.

%!  assume(+Fact) is semidet.
%!  drop_assumed is nondet.
%
%   Fact, of a predicate that the capability offers, holds until drop_assumed/0.

%!  error_message(+Formal, -Message) is semidet.
%
%   Message, a string, describes the error term error(Formal, _) of a capability.

%!  asked(?Name, ?Arity) is nondet.
%
%   The host calls user clauses of this name, so they are private to no module.

%!  source(+Module, +Goal, -Source) is semidet.
%
%   Module:Goal rests on Source, an atom for readers of a proof.  Goal has succeeded; or, where Source is to
%   say only what kind of goal it is, its arguments are variables, which stay unbound.

:- multifile
    request/3,
    boot_option/1,
    word/1,
    class/4,
    called/3,
    qualified/3,
    written/3,
    asks/2,
    output_stream/2,
    file_text/2,
    given/3,
    assume/1,
    drop_assumed/0,
    error_message/2,
    asked/2,
    source/3.
