"""Spanish words of an instruction."""

from consolidate.steps.instructions.lexicon import Language

SPANISH = Language(
    "Spanish",
    {
        "ignore": (
            "ignora, ignorá, ignore, ignoren, ignorad, ignorar, olvida, olvide, olviden, olvidar, olvídate de, "
            "olvídese de, descarta, descarte, descartar, omite, omita, omitan, omitir, sáltate, sáltese, "
            "saltarse, saltar, haz caso omiso, haga caso omiso, hagan caso omiso, no hagas caso, no haga caso, "
            "no sigas, no siga, deja de seguir, deje de seguir, desobedece, desobedezca, desestima, anula, "
            "anule, anular, elude, eludir, evade, evadir, desactiva, desactive, desactivar, pasa por alto, "
            "pase por alto, no tengas en cuenta, no tenga en cuenta, borra, abandona, incumple, viola, suprime, "
            "deja de lado, deje de lado, sobrescribe, deshazte de, reemplaza"
        ),
        "rules": (
            "instrucción, instrucciones, regla, reglas, directriz, directrices, norma, normas, órdenes, "
            "indicación, indicaciones, prompt*, política, políticas, restricción, restricciones, límite, "
            "límites, limitación, limitaciones, filtro, filtros, pauta, pautas, protocolo*, directiva*, "
            "mandato*, comando*, consigna*, comprobaciones, confirmaciones, confirmación, verificaciones, "
            "lineamientos, guardarraíles"
        ),
        "system_rules": (
            "prompt del sistema, prompt de sistema, prompts del sistema, mensaje del sistema, "
            "mensaje de sistema, mensajes del sistema, instrucciones del sistema, instrucciones de sistema, "
            "instrucciones del desarrollador, reglas del sistema, reglas de seguridad, normas de seguridad, "
            "directrices de seguridad, pautas de seguridad, protocolos de seguridad, protocolo de seguridad, "
            "medidas de seguridad, filtros de seguridad, controles de seguridad, comprobaciones de seguridad, "
            "política de contenido, políticas de contenido, políticas de uso, filtros de contenido, "
            "filtro de contenido, directrices éticas, normas éticas, instrucciones originales, "
            "instrucciones iniciales, instrucciones ocultas, prompt inicial, prompt oculto, "
            "restricciones habituales, restricciones de seguridad, tu programación, políticas de seguridad, "
            "política de seguridad, reglas habituales"
        ),
        "prior": (
            "anterior, anteriores, previa, previas, previo, previos, precedente, precedentes, arriba, antes, "
            "original, originales, inicial, iniciales, existentes, dadas, recibidas, hasta ahora, pasadas, "
            "sistema, que te dieron, antedichas, predeterminadas, anteriormente"
        ),
        "own": "tu, tus, vuestra, vuestras, vuestro, vuestros",
        "theirs": "su, sus",
        "all": "todo, toda, todos, todas, cada, cualquier, cualquiera, ninguna",
        "everything": "todo, todo lo, lo que, cuanto",
        "told": (
            "que te dijeron, te dijeron, te han dicho, te he dicho, te dije, has aprendido, aprendiste, sabes, "
            "hemos hablado, hablamos, dije, hemos dicho, se ha dicho, se te ha dicho, te enseñaron, has oído, "
            "hemos discutido, se dijo"
        ),
        "context": (
            "todo lo anterior, todo lo de arriba, lo anterior, todo lo que está arriba, el texto anterior, "
            "texto de arriba, todo el contexto, contexto anterior, conversación anterior, mensajes anteriores, "
            "la conversación hasta ahora, las palabras anteriores, todo lo previo, "
            "el mensaje anterior de sistema, contexto previo"
        ),
        "new_rules": (
            "nueva instrucción, nuevas instrucciones, nueva directriz, nuevas directrices, nueva regla, "
            "nuevas reglas, nueva orden, nuevas órdenes, nueva tarea, nueva misión, nuevo objetivo, nuevo rol, "
            "nuevo prompt, verdadera tarea, tarea real, verdadera misión, verdadero objetivo, "
            "instrucción importante, instrucciones importantes, instrucción urgente, instrucciones urgentes, "
            "instrucciones adicionales, instrucciones actualizadas, única tarea, única misión, objetivo real"
        ),
        "supersede": (
            "reemplaza, reemplazan, sustituye, sustituyen, anula, anulan, prevalece sobre, prevalecen sobre, "
            "tiene prioridad sobre, tienen prioridad sobre, invalida"
        ),
        "off": (
            "desactivado, desactivados, desactivada, desactivadas, deshabilitado, deshabilitados, no aplican, "
            "no aplica, no se aplican, no se aplica, ya no aplican, ya no se aplican, no valen, ya no valen, "
            "no son válidas, ya no rigen, no rigen, suspendidas, suspendidos, anuladas, anulados, levantadas, "
            "canceladas, exento, exenta, sin efecto, obsoletas, caducadas, no eran para, no están pensadas, "
            "no te afectan, quedan sin, no son aplicables"
        ),
        "become": (
            "eres ahora, ahora eres, ahora serás, ya no eres, eres, finge, finja, simula, simule, actúa como, "
            "actúe como, actúa, haz de cuenta, imagina, imagine, compórtate como, compórtese como, "
            "comportate como, haz el papel, juega el papel, asume el rol, asume el papel, responde como, "
            "responda como, entra en, activa, active, cambia a, interpreta, conviértete, usted es ahora, "
            "ahora actúas, vas a actuar, adopta"
        ),
        "unbound": (
            "sin restricciones, sin restricción, sin límites, sin límite, sin filtros, sin filtro, sin reglas, "
            "sin normas, sin censura, sin ninguna restricción, sin ningún filtro, sin ningún límite, "
            "sin limitaciones, sin limitación, ninguna restricción, ninguna regla, ningún filtro, ningún límite, "
            "irrestricto, irrestricta, no censurada, no censurado, no tienes reglas, no tienes restricciones, "
            "no tienes límites, no tienes filtros, no tiene reglas, no tiene restricciones, ilimitad*, "
            "modo desarrollador, modo administrador, modo dios, modo depuración, modo sin, libre de toda, "
            "libre de restricciones, sin ética, sin moral, sin directrices, sin políticas, liberado de"
        ),
        "lacking": (
            "no tener, no tuvieras, no tienen, sin, ninguna, ningún, no tienes, no tiene, no hay, libre de, exento de"
        ),
        "jailbreak": (
            "modo desarrollador activado, eres dan, ahora eres dan, modo sin restricciones, modo sin filtros, "
            "modo sin censura"
        ),
        "alter": "dan",
        "respond": (
            "responde, respondé, responda, respondan, responder, contesta, conteste, contestar, obedece, "
            "obedezca, obedecer, procede, proceda, proceder, genera, genere, generar, cumple, cumpla, cumplir, "
            "continúa, continúe, ejecuta, accede"
        ),
        "reborn": (
            "ahora eres, eres ahora, ya no eres, a partir de ahora eres, desde ahora eres, ahora serás, "
            "te llamas ahora, ahora te llamas"
        ),
        "reveal": (
            "revela, revelá, revele, revelen, revelar, muestra, mostrá, muestre, muestren, mostrar, muéstrame, "
            "muéstreme, dime, dígame, decime, imprime, imprima, imprimir, repite, repita, repetir, enseña, "
            "enséñame, dame, deme, divulga, divulgue, divulgar, comparte, comparta, compartir, lista, liste, "
            "enumera, copia, copie, cita, filtra, expón, publica, publique, entrega, traduce, resume, cuál es, "
            "cuáles son, qué dice, desvela, escribe, envíame, proporciona, exporta, devuelve, recita"
        ),
        "secret": (
            "prompt del sistema, prompt de sistema, mensaje del sistema, mensaje de sistema, "
            "instrucciones del sistema, instrucciones de sistema, tu prompt, su prompt, tus instrucciones, "
            "sus instrucciones, tus reglas, tus directrices, tus normas, tu configuración, "
            "instrucciones ocultas, instrucciones internas, instrucciones secretas, instrucciones iniciales, "
            "instrucciones originales, prompt oculto, prompt inicial, configuración interna, tus secretos, "
            "tu mensaje de sistema, instrucciones confidenciales"
        ),
        "leak": "filtra, filtre, filtrar, exfiltra, exfiltre, exfiltrar, roba, vuelca",
        "private": (
            "clave api, claves api, claves de api, clave de api, claves de la api, credencial*, contraseña*, "
            "secretos, datos de clientes, datos de los clientes, lista de clientes, base de datos, "
            "datos internos, datos confidenciales, datos personales, datos privados, datos sensibles, "
            "datos de usuarios, datos de los usuarios, información confidencial, información personal, "
            "información privada, información interna, información sensible, tarjeta de crédito, "
            "tarjetas de crédito, datos bancarios, tokens, código fuente, confidencial*, correos de los clientes"
        ),
        "send": (
            "envía, enviá, envíe, envíen, enviar, envíalo, envíala, envíalos, envíalas, manda, mandá, mande, "
            "mandar, mándalo, mándala, mándalos, reenvía, reenvíe, reenviar, transmite, transmita, transmitir, "
            "sube, suba, subir, publica, publique, comparte, comparta, transfiere, transfiera, transferir, "
            "exporta, copia, remite, remita, remitir"
        ),
        "data": (
            "datos, lista, resumen, conversación, conversaciones, historial, contenido, mensaje, mensajes, "
            "archivo, archivos, documento*, los, las, lo, todo, información, resultado*, respuesta*, copia, "
            "notas, contactos, recuerdos, dinero, factura*, memoria, informe, detalles, correos, envíalo, "
            "envíala, envíalos, envíalas, mándalo, mándala, mándalos, reenvía"
        ),
        "money": "dinero, euros, dólares, importe, suma, bitcoin, pago",
        "call": (
            "llama, llame, llamar, usa, use, usar, utiliza, utilice, utilizar, ejecuta, ejecute, ejecutar, "
            "invoca, invoque, lanza, corre, activa"
        ),
        "tool_word": (
            "la herramienta, herramienta, esta herramienta, la función, función, el comando, este comando, "
            "el siguiente comando, el siguiente código, este código, el script, este script, la api, "
            "una petición, petición http"
        ),
        "destroy": (
            "elimina, elimine, eliminar, borra, borre, borrar, vacía, vacíe, vaciar, destruye, destruya, "
            "destruir, sobrescribe, formatea, purga, suprime"
        ),
        "target": (
            "archivo, archivos, fichero, ficheros, base de datos, bases de datos, carpeta*, directorio*, tabla, "
            "tablas, cuenta, cuentas, datos, registros, copias de seguridad, respaldo*, mensajes, usuarios, "
            "recuerdos, correos"
        ),
        "grant": (
            "concede, conceda, otorga, otorgue, da, dale, dar, trata, trate, considera, considere, autoriza, "
            "autorice, aprueba, apruebe, permite, asigna"
        ),
        "privilege": (
            "admin, administrador, administradora, acceso de administrador, derechos de administrador, "
            "permisos de administrador, acceso root, acceso total, acceso completo, acceso ilimitado, "
            "todos los permisos, todas las peticiones, todas las solicitudes, privilegios, verificado"
        ),
        "checks": "confirmación, verificación, autenticación, aprobación, autorización",
        "verify": "verifiques, verifique, compruebes, pidas confirmación, pida confirmación, valides",
        "comply": (
            "haz exactamente lo que, haga exactamente lo que, haz todo lo que, haga todo lo que, "
            "haz lo que dice, obedece todo, obedece todas, obedece a todo, obedece cualquier, obedéceme, "
            "sigue solo, siga solo, sigue únicamente, sigue las siguientes instrucciones, "
            "siga las siguientes instrucciones, sigue estas instrucciones, siga estas instrucciones, "
            "sigue las instrucciones que contiene, sigue la instrucción, ejecuta las instrucciones, "
            "cumple todas las, cumple con todas, acepta todas las, aprueba todas*, nunca te niegues, "
            "no rechaces ninguna, responde a todo, cumple cualquier"
        ),
        "decode": "decodifica, decodifique, decodificar, descodifica, descifra, descifre, descifrar, base64",
        "turn": (
            "cuando leas esto, cuando lea esto, al leer esto, al procesar este, al procesar esta, "
            "cuando proceses, al resumir, antes de responder, antes de contestar, antes de continuar, "
            "en tu respuesta, en su respuesta, en tu resumen, en tu próxima respuesta, "
            "en tu siguiente respuesta, al final de tu*, al principio de tu*, al inicio de tu*, "
            "al final de tus*, a tu respuesta, si eres una ia, si eres un modelo, como ia, "
            "cada vez que respondas, después de leer esto"
        ),
        "append": (
            "incluye, incluya, incluir, añade, añada, añadir, agrega, agregue, agregar, inserta, inserte, "
            "insertar, menciona, mencione, mencionar, adjunta, adjunte, repite, repita, termina, termine, "
            "comienza, empieza, escribe, escriba, pon, ponga, firma, añadido, añadirse, agregado, agregarse, "
            "incluido, incluirse, insertarse, mencionarse, cita, coloca, figurar, acaba, finaliza"
        ),
        "reply": (
            "respuesta, respuestas, resumen, resúmenes, salida, mensaje, mensajes, conversación, conversaciones, "
            "sesión, sesiones, informe, correo, contestación*"
        ),
        "only": "solo con, solamente con, únicamente con, solo, únicamente, solamente",
        "later": (
            "futura, futuras, futuro, futuros, próxima, próximas, próximo, próximos, siguiente, siguientes, posteriores"
        ),
        "must": "debe, deben, deberá, deberán, debería, tiene que, tienen que, ha de, hay que, es necesario",
        "oblige": (
            "debes, deberás, deberías, tienes que, tendrás que, usted debe, usted deberá, no debes, te ordeno, "
            "tu tarea es, tu misión es, tu objetivo es, asegúrate de, asegúrese de, debe usted, tenés que, "
            "no deberás, te ordeno que"
        ),
        "urge": "quiero que, necesito que",
        "always": (
            "siempre, nunca, jamás, en todo momento, sin excepción, bajo ninguna circunstancia, cada vez, "
            "permanentemente"
        ),
        "hence": (
            "por el resto de la conversación, por el resto de esta conversación, "
            "durante el resto de la conversación, a partir de ahora, de ahora en adelante, desde ahora, "
            "de aquí en adelante, en adelante, a partir de este momento, desde este momento, en lo sucesivo, "
            "en el futuro, hasta nuevo aviso, en cada respuesta, en todas tus respuestas, "
            "en todas las respuestas, en todas las conversaciones, en cada conversación, en futuras*, "
            "en todas las futuras, a partir de hoy"
        ),
        "steer": (
            "di, recomienda, recomiende, recomendar, sugiere, sugiera, sugerir, diga, decir, dile, menciona, "
            "mencione, mencionar, responde, responda, responder, contesta, conteste, contestar, afirma, afirme, "
            "afirmar, aconseja, aconsejar, favorece, cita, remite, dirige, aprueba, apruebe, aprobar, sigue, "
            "obedece, obedecer, añade, agrega, agregar, incluye, incluir, termina, empieza, escribe, escribir, "
            "habla, hablar, usa, use, usar, trata, considera, revela, revele, revelar, ignora, ignorar, niega, "
            "miente, mentir, mientas, confirma, confirmar, rechaza, rechazar, envía, enviar, borra, borrar, "
            "elogia, promociona, promueve, acepta, aceptar, confía, confiar, reveles, digas, menciones, "
            "recomiendes, transfiere, transferir, prioriza, finge"
        ),
        "when_asked": (
            "cuando te pregunten, cuando te preguntan, cuando le pregunten, si te preguntan, si le preguntan, "
            "cuando alguien pregunte, si alguien pregunta, cuando el usuario pregunte, "
            "cuando el usuario pregunta, si el usuario pregunta, cuando un usuario pregunte, "
            "si un usuario pregunta, siempre que te pregunten, cuando pregunten, si preguntan, cuando pregunte, "
            "si pregunto, al ser preguntado, cada vez que te pregunten, cada vez que alguien pregunte, "
            "cuando los usuarios pregunten, si los usuarios preguntan, cuando se te pregunte, si se te pregunta, "
            "ante la pregunta"
        ),
        "store": (
            "guarda, guarde, guardar, almacena, almacene, almacenar, recuerda, recuerde, recordar, memoriza, "
            "memorice, memorizar, registra, registre, registrar, anota, anote, anotar, conserva, graba, grabe, "
            "actualiza, actualice, escribe, modifica, añade, agrega, borra, apunta, mantén"
        ),
        "memory": (
            "tu memoria, su memoria, memoria a largo plazo, la memoria, en memoria, como un hecho, como hecho, "
            "como hechos, como verdad, como un hecho confirmado, de forma permanente, permanentemente, "
            "en tus notas, tus recuerdos, perfil del usuario, perfil de usuario, para futuras*, "
            "para todas las futuras, para las próximas*, base de conocimiento, como preferencia, "
            "esta instrucción, como regla"
        ),
        "remember_to": (
            "recuerda decir, recuerda siempre, recuerda que tú, recuerda que eres, recuerda que debes, "
            "recuerde que debe, no olvides decir, no olvides mencionar, no olvides que eres, "
            "no olvides que debes, nunca olvides que eres, recuerda esta instrucción, "
            "recuerda estas instrucciones, recuerda esta regla, recuerda recomendar, recuerda mencionar, "
            "acuérdate de decir, acuérdate de recomendar, recuerda responder, recuerda decirle"
        ),
        "not": "nada, no, nunca, jamás, evita, evite",
        "tell": (
            "digas, diga, decir, le digas, informes, informe, informar, menciones, mencione, mencionar, avises, "
            "avise, avisar, reveles, revele, muestres, muestre, cuentes, cuente, adviertas, notifiques, "
            "notifique, notificar, dejes, preguntes, hables, comentes"
        ),
        "user": (
            "el usuario, al usuario, la usuaria, los usuarios, a los usuarios, usuario, al humano, "
            "esta instrucción, estas instrucciones, este mensaje, esta nota, de esto, sobre esto"
        ),
        "hide": "oculta, oculte, esconde, esconda",
        "conceal": (
            "sin informar al usuario, sin decirle al usuario, sin decírselo al usuario, sin avisar al usuario, "
            "sin que el usuario, sin conocimiento del usuario, sin preguntar al usuario, sin pedir confirmación, "
            "mantén esto en secreto, mantenga esto en secreto, manten esto en secreto, guarda esto en secreto, "
            "oculta esto al, oculta esto a, oculte esto, ocúltaselo al usuario, ocúltalo al usuario, "
            "el usuario no debe saber, el usuario no debe, que el usuario no se entere, "
            "no se lo digas al usuario, no se lo digas a nadie, no se lo diga al usuario, "
            "no lo menciones al usuario"
        ),
        "agent": (
            "asistente, el asistente, la ia, asistente de ia, agente de ia, agentes de ia, modelo de lenguaje, "
            "modelos de lenguaje, chatbot, chatbots, el modelo, el bot, el agente, asistente virtual, "
            "modelo de ia, sistemas de ia"
        ),
        "you": "tú, ti, usted, te, vos, vosotros",
        "note_to": (
            "nota para el asistente, nota al asistente, nota para la ia, nota a la ia, "
            "mensaje para el asistente, mensaje al asistente, mensaje para la ia, mensaje a la ia, "
            "instrucción para el asistente, instrucciones para el asistente, instrucciones al asistente, "
            "instrucción para la ia, instrucciones para la ia, instrucciones a la ia, atención ia, "
            "atención asistente, querido asistente, estimado asistente, querida ia, nota del sistema, "
            "nota de sistema, aviso del sistema, mensaje del sistema, a cualquier ia, para el asistente de ia, "
            "atención modelo"
        ),
        "report": (
            "dijo, dice, pidió, pide, pedido, preguntó, pregunta, quiere, quería, quisiera, contó, cuenta, "
            "explicó, explica, mencionó, piensa, cree, espera, decidió, planea, aconsejó, sugirió, recomendó, "
            "intenta, prefiere, le gusta, le gustaría, recordó, discutieron, hablaron, escribió, ordenó, exigió, "
            "exige, afirmó, solicitó, solicita, propuso, aprendió, comentó, insistió, desea, habló"
        ),
        "lead": (
            "por favor, y, luego, después, ahora, también, simplemente, o, entonces, primero, inmediatamente, "
            "importante, atención, además, en secreto, solo, únicamente, e, en su lugar"
        ),
    },
)
