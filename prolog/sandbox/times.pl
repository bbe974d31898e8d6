:- module(hb_times,
          [ safe_format_time/3,         % +Out, +Format, +Time
            safe_format_time/4          % +Out, +Format, +Time, +Locale
          ]).
:- use_module(formats, [text_sink/1]).
:- use_module(output, [own_stream/2]).

/** <module> Times as text

SWI-Prolog's format_time/3 and format_time/4 write some directives to buffers of a fixed size, and look
up the name of a month in a table without a check.  So what would not fit is an error here.
*/

%!  safe_format_time(+Out, +Format, +Time) is det.
%!  safe_format_time(+Out, +Format, +Time, +Locale) is det.
%
%   @error domain_error(digits, N) if Format has a directive with a number above 20.
%   @error domain_error(month, N)
%   @error domain_error(time, Time) if Time is more than about 30 million years from now, or not in the
%   years 0 to 9999 when Format has the directive `%+`.

safe_format_time(Out, Format, Time) :-
    check_format(Format, Time),
    own_sink(Out, Sink),
    format_time(Sink, Format, Time).
safe_format_time(Out, Format, Time, Locale) :-
    check_format(Format, Time),
    own_sink(Out, Sink),
    format_time(Sink, Format, Time, Locale).

own_sink(Out, Sink) :-
    (   text_sink(Out)
    ->  Sink = Out
    ;   own_stream(Out, Sink)
    ).

check_format(Format, Time) :-
    text_to_string(Format, Text),
    string_codes(Text, Codes),
    check_time(Time),
    check_directives(Codes, Time).

%   A buffer takes the seconds with their fraction: 16 digits, a sign, a point, and the digits asked for.

check_time(Time) :-
    number(Time),
    !,
    (   abs(Time) =< 1.0e15
    ->  true
    ;   throw(error(domain_error(time, Time), _))
    ).
check_time(date(_,Month,_)) :-
    !,
    check_month(Month).
check_time(date(_,Month,_,_,_,Seconds,_,_,_)) :-
    !,
    check_month(Month),
    (   number(Seconds)
    ->  check_time(Seconds)
    ;   true
    ).
check_time(_).                          % an error of format_time/3

check_month(Month) :-
    (   integer(Month),
        \+ between(1, 12, Month)
    ->  throw(error(domain_error(month, Month), _))
    ;   true
    ).

check_directives([], _).
check_directives([0'%|Codes0], Time) :-
    !,
    digits(Codes0, 0, N, Codes1),
    (   N =< 20
    ->  true
    ;   throw(error(domain_error(digits, N), _))
    ),
    (   Codes1 = [0'+|_]
    ->  check_year(Time)
    ;   true
    ),
    (   Codes1 = [_|Codes]
    ->  true
    ;   Codes = []
    ),
    check_directives(Codes, Time).
check_directives([_|Codes], Time) :-
    check_directives(Codes, Time).

digits([Code|Codes0], N0, N, Codes) :-
    code_type(Code, digit(Weight)),
    !,
    N1 is N0*10+Weight,
    digits(Codes0, N1, N, Codes).
digits(Codes, N, N, Codes).

%   A buffer takes a year of four digits.

check_year(Time) :-
    (   has_four_digits(Time)
    ->  true
    ;   throw(error(domain_error(time, Time), _))
    ).

has_four_digits(Time) :-
    number(Time),
    !,
    Time >= -62_167_132_800,            % 0000-01-02
    Time < 253_402_214_400.             % 9999-12-31
has_four_digits(Date) :-
    compound(Date),
    compound_name_arguments(Date, date, [Year|More]),
    integer(Year),
    Year >= 0,
    Year < 9999,                        % days may carry
    within(More, [12,366,24,60,61]).

%   within(+Fields, +Most): the first fields of a date are unbound, or in this range.

within([Field|Fields], [Most|Mosts]) :-
    !,
    (   var(Field)
    ->  true
    ;   number(Field),
        Field >= 0,
        Field =< Most
    ),
    within(Fields, Mosts).
within(_, _).
