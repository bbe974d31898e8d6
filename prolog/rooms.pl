:- module(hb_rooms, []).

/** <module> The capabilities that an engine has

Each line loads one (capability.pl).
*/

:- use_module(dml/room).
:- use_module(host/room).
:- use_module(memory/room).
:- use_module(workflow/room).
